"""Write the extension as a .vsix, an archive that VS Code installs: python pack.py FILE. The same sources give the same
bytes."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).resolve().parent
SHIPPED = ("package.json", "README.md", "dist/extension.js", "snippets/specs.json")
TYPES = {"json": "application/json", "js": "application/javascript", "md": "text/markdown", "txt": "text/plain"}
FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def manifest(package: dict[str, str | dict[str, str] | list[str]]) -> str:
    """What VS Code reads first: who the extension is, and which editor it needs."""
    engine = package["engines"]
    assert isinstance(engine, dict)
    identity = " ".join(
        f"{key}={quoteattr(str(value))}"
        for key, value in {
            "Language": "en-US",
            "Id": package["name"],
            "Version": package["version"],
            "Publisher": package["publisher"],
        }.items()
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity {identity}/>
    <DisplayName>{escape(str(package["displayName"]))}</DisplayName>
    <Description xml:space="preserve">{escape(str(package["description"]))}</Description>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(engine["vscode"])}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def content_types() -> str:
    rows = "".join(f'<Default Extension=".{end}" ContentType="{kind}"/>' for end, kind in TYPES.items())
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'{rows}<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>\n'
    )


def notices() -> Iterator[str]:
    """The licences of what is bundled; esbuild itself is not."""
    for folder in sorted((HERE / "node_modules").glob("*")):
        licence = next(iter(sorted(folder.glob("[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*"))), None)
        if folder.name not in ("esbuild", "@esbuild") and licence is not None:
            yield f"==== {folder.name}\n\n{licence.read_text('utf-8').strip()}\n"


def files() -> Iterator[tuple[str, bytes]]:
    """The files of the archive, in the order of their names below the manifest."""
    package = json.loads((HERE / "package.json").read_text("utf-8"))
    yield "extension.vsixmanifest", manifest(package).encode()
    yield "[Content_Types].xml", content_types().encode()
    for name in SHIPPED:
        yield f"extension/{name}", (HERE / name).read_bytes()
    yield "extension/LICENSE.txt", (HERE.parent.parent / "LICENSE").read_bytes()
    yield "extension/NOTICES.txt", "\n".join(notices()).encode()


def main() -> None:
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files():
            entry = zipfile.ZipInfo(name, FIRST_DAY)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)


if __name__ == "__main__":
    main()
