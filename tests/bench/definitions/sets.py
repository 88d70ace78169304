"""Makes sets for `etna bench retrieval`: definitions of GCIDE for the senses of senses.txt, or a language's names of models."""
import glob
import gzip
import json
import os
import re
import sys
import zipfile

LIBRARIES = "/usr/share/sweethome3d/furniture/*.sh3f"
DICTIONARY = "/usr/share/dictd/gcide.dict.dz"
CATALOGUE = "PluginFurnitureCatalog"


def catalogue_names(language):
    """{"LIBRARY#N": name}: of English where language is ""."""
    names = {}
    for path in sorted(glob.glob(LIBRARIES)):
        library = os.path.basename(path).removesuffix(".sh3f")
        with zipfile.ZipFile(path) as archive:
            name = CATALOGUE + ("_" + language if language else "") + ".properties"
            text = archive.read(name).decode("latin-1")
        for number, value in re.findall(r"^name#(\d+)\s*=\s*(.*?)\s*$", text, re.MULTILINE):
            value = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), value)
            names[f"{library}#{number}"] = value.replace("\\", "")
    return names


def names_set(language):
    """Each name once; every model that bears it is wanted."""
    wanted = {}
    for asset, name in catalogue_names(language).items():
        wanted.setdefault(name, {})[asset] = 3
    return [{"q": name, "want": want} for name, want in sorted(wanted.items())]


def entries(text, headwords):
    """Each entry is a paragraph that begins at the margin with `Headword \\...\\`, and what is indented below it."""
    for entry in re.split(r"\n(?=\S)", text):
        head = entry.split(" \\", 1)[0]
        if head in headwords:
            yield head, entry


def definition(entry, begin):
    """The sense that begins so, if it is [1913 Webster]'s alone: without its number, authors, marks and what it refers to."""
    for paragraph in re.split(r"\n\s*\n", entry):
        flat = " ".join(paragraph.split())
        at = flat.find(begin)
        if at < 0 or "[1913 Webster]" not in flat[at:]:
            continue
        sense = flat[at:].split("[1913 Webster]")[0]
        sense = re.sub(r"\s--\s*[A-Z][^.]*\.(\s[A-Z][^.]*\.)?\s*$", "", sense.strip())
        sense = re.sub(r"\[[^\]]*\]|[{}]", "", re.sub(r"\b(See|Cf\.) [^.]*(\.|$).*$", "", sense))
        return re.sub(r"\s+", " ", sense).strip()
    return None


def definitions_set():
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "senses.txt"), encoding="utf-8") as lines:
        senses = [line.rstrip("\n").split("|", 2) for line in lines if not line.startswith("#")]
    with gzip.open(DICTIONARY) as packed:
        text = packed.read().decode("utf-8", "replace")
    found = {}
    for head, entry in entries(text, {sense[0] for sense in senses}):
        found.setdefault(head, []).append(entry)
    names, queries = catalogue_names(""), []
    for head, begin, pattern in senses:
        told = [text for text in (definition(entry, begin) for entry in found.get(head, [])) if text]
        want = {asset: 3 for asset, name in names.items() if re.search(pattern, name, re.IGNORECASE)}
        if not told or not want:
            sys.exit(f"{head}: {'no model has that name' if told else 'the dictionary has no such sense'}")
        queries.append({"q": told[0], "want": want, "sense": head})
    return queries


def main(arguments):
    made = {"definitions": lambda: definitions_set(), "names": lambda: names_set(arguments[1])}
    if not arguments or arguments[0] not in made or len(arguments) != 1 + (arguments[0] == "names"):
        sys.exit("usage: sets.py definitions | names LANGUAGE")
    json.dump({"queries": made[arguments[0]]()}, sys.stdout, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main(sys.argv[1:])
