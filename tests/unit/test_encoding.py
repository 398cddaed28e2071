"""Which encoding a file is in, when nobody says so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.formats.raw.encoding import decode

WRITTEN = [
    ("cp1252", "Wir können die Straße überqueren – „schön“."),
    ("cp1252", "können\n\nkönnen\n\näöüß"),
    ("cp1252", "El niño está aquí. ¿Qué pasó mañana, señor?"),
    ("cp1252", "Price: £20 or €30"),
    ("gb18030", "人力资源部负责审批请假申请，员工应提前三天提交。"),
    ("gb18030", "姓名,年龄\n张三,30\n"),
    ("big5", "人力資源部負責審批請假申請，員工應提前三天提交。"),
    ("big5", "姓名,年齡\n張三,30\n"),
    ("cp932", "人事部は休暇申請を承認します。社員は三日前までに提出してください。"),
    ("cp932", "名前,年齢,住所\n佐藤太郎,30,東京\n"),
    ("cp1251", "Отдел кадров утверждает заявления на отпуск."),
    ("koi8-r", "Отдел кадров утверждает заявления на отпуск."),
    ("cp866", "Отдел кадров утверждает заявления на отпуск."),
    ("euc_jp", "人事部は休暇申請を承認します。社員は三日前までに提出してください。"),
    ("cp949", "직원 안내서\n\n이 안내서는 모든 직원에게 적용됩니다."),
    ("cp1250", "Każdy pracownik ma prawo do urlopu. Źródło: święta i żółć."),
    ("iso-2022-jp", "人事部は休暇申請を承認します。"),
    ("utf-8", "Grüße, 你好"),
    ("utf-8-sig", "with a mark"),
    ("utf-16", "with a mark 你好"),
    ("utf-16-le", "no mark but every second byte is zero"),
]


@pytest.mark.parametrize(("encoding", "text"), WRITTEN)
def test_text_comes_back_as_it_was_written(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_a_wrong_declaration_gives_way_to_the_bytes() -> None:
    assert decode("Grüße".encode(), declared="iso-8859-1") == "Grüße"
    assert decode("können wir".encode("cp1252"), declared="utf-8") == "können wir"


def test_a_few_accented_letters_are_no_cyrillic() -> None:
    assert decode("Regulamin urlopów, rozdział".encode("cp1250")).startswith("Regulamin urlopów")


def test_bytes_that_no_encoding_knows_become_latin() -> None:
    assert decode(b"caf\xe9 \x81\x80") == "caf\xe9 \x81\u20ac"


def test_line_ends_are_one() -> None:
    assert decode(b"a\r\nb\rc\n") == "a\nb\nc\n"


@given(st.binary(max_size=400))
def test_any_bytes_become_text(data: bytes) -> None:
    assert isinstance(decode(data), str)
