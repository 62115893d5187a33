"""seeds.py FOLDER: the first inputs of the fuzzer, out of the vector files and of a few lines here."""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = 8192
ITEM = "00112233-4455-4677-8899-aabbccddeeff"


def put(folder, target, name, raw):
    place = folder / target
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_bytes(raw)


def payloads(stream):
    """The frames of a stream that is well formed as far as it goes."""
    at = 8
    while at + 16 <= len(stream):
        if stream[at : at + 5] == b"VAULT":
            at += 8
            continue
        count = int.from_bytes(stream[at + 4 : at + 8])
        yield chr(stream[at]), stream[at + 16 : at + 16 + count]
        at += 16 + count


def from_vectors(folder):
    for file in sorted((HERE.parent / "vectors").glob("*/*")):
        if "__pycache__" in file.parts:
            continue
        head, _, stream = file.read_bytes().partition(b"\n\n")
        name = f"{file.parent.name}-{file.name}"
        if file.parent.name == "space":
            put(folder, "space", name, stream)
        elif len(stream) <= LARGEST:
            put(folder, "frames", name, stream)
            for number, (kind, payload) in enumerate(payloads(stream)):
                if kind in "LHSX":
                    put(folder, "text", f"{name}-{number}", payload)
                if kind == "E":
                    put(folder, "envelope", name, payload)
                    receipt = {"receipt": "vault/1", "item": ITEM, "status": "stored",
                               "envelope": payload.decode("latin-1"), "row": {"id": 1.1}}
                    put(folder, "json", name, json.dumps(receipt).encode())
        for line in head.split(b"\n"):
            if line.startswith((b"identity: ", b"kek: ")):
                put(folder, "keys", name, line.split(b": ")[1] + b"\n")


def by_hand(folder):
    manifest = f"vault-manifest/1\nbody {'A' * 43}\nsize 5\ndigest sha256 {'00' * 32}\nname a%20b\n"
    put(folder, "text", "manifest", manifest.encode())
    recipient = b"age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
    put(folder, "keys", "recipients", b"\xef\xbb\xbf# team\r\n" + recipient + b"\r\n")
    rows = {"row": {"source": "s3://b/k", "item": ITEM, "bytes": 5, "name": "a"},
            "end": {"end": True, "rows": 3}, "nested": [[[{"a": ["\u00e9\n", 1e5, None, -0.1]}]]]}
    put(folder, "keys", "hex", b"0a" * 32 + b"\r\n")
    put(folder, "keys", "base64", b"Cg" * 21 + b"o=")
    put(folder, "json", "spaced", b' { "envelope" :\t"a\\u000ab\\/" , "item": null,"sha256" : 1E+5 } \n')
    for name, row in rows.items():
        put(folder, "json", name, json.dumps(row).encode())
    answers = {
        "error": "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>a &amp; b</Message></Error>",
        "parts": "<ListPartsResult xmlns='x'><Part><PartNumber>1</PartNumber><ETag>&quot;a&quot;</ETag></Part>"
                 "<IsTruncated>false</IsTruncated></ListPartsResult>",
        "nameless": "<::/>",
        "list": "<?xml version='1.0'?>\n<p:List xmlns:p='x' ><p:Contents>\n<p:Key>a&#xA;b&#13;</p:Key>"
                "<p:Size>5</p:Size></p:Contents>text<p:Contents/>more</p:List>\n<!-- end -->",
        "mixed": "<a><!-- c --><b/><![CDATA[<x>]]>&#x41;</a>\n"}
    for name, text in answers.items():
        put(folder, "xml", name, text.encode())


def main():
    folder = pathlib.Path(sys.argv[1])
    from_vectors(folder)
    by_hand(folder)


if __name__ == "__main__":
    main()
