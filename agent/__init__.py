"""The engine: questions in, cited answers out; owns the words, the map, the library, the loop."""
