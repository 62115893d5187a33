"""vault-seal beside age, the ideal seal filter, gpg and Python: the same data, the same sink.

vault-seal reads the stream that vault-hash made of the data; the others read the data itself.
"""

from arithmetic import paired_ratio
from parts import commands, told
from room import ROOT
from runner import Contestant, in_turns, shell

GPG = "gpg --homedir gpg --batch --quiet --trust-model always"
# A key of the same curve that age has, so that it is the bulk that is compared.
NEW_GPG_KEY = (f"mkdir -p -m 700 gpg && {GPG} --passphrase '' --quick-gen-key bench@localhost "
               "future-default default never")


def run(room):
    data, plain = room.data(), room.plain()
    shell(NEW_GPG_KEY)
    shell(f"cp {ROOT}/Tests/Bench/python_seal.py .")
    try:
        contestants = {
            "vault-seal": Contestant(f"vault-seal -R team.txt <{plain} >/dev/null", (plain,)),
            "ideal": Contestant(f"ideal-seal <{data} >/dev/null", (data,)),
            "age": Contestant(f"age -R team.txt <{data} >/dev/null", (data,)),
            "gpg": Contestant(f"{GPG} --compress-algo none --cipher-algo AES256 -r bench@localhost "
                              f"--encrypt <{data} >/dev/null", (data,)),
            "python": Contestant(f"python3 python_seal.py <{data} >/dev/null", (data,)),
        }
        runs = in_turns(contestants, room.rounds)
    finally:
        shell("gpgconf --homedir gpg --kill all")
    figures = {name: paired_ratio(runs["vault-seal"], runs[name])
               for name in contestants if name != "vault-seal"}
    return told(figures, runs, commands(contestants), room.size)
