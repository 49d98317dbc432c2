"""The way phones reach this machine: its address, the code of its Wi-Fi, and a firewall that may be in the way."""

from __future__ import annotations

import re
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path

LOOPBACK = "127.0.0.1"
SYSTEM_TOOLS = "/usr/sbin:/sbin:/usr/bin:/bin"


def own_address() -> str:
    """The address of the network interface through which this machine reaches others; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK


def joining(wifi: str) -> str:
    """The text of a QR code that joins the Wi-Fi `NAME` or `NAME:PASSWORD`; "" without a Wi-Fi."""
    if not wifi:
        return ""
    name, _, password = (re.sub(r"([\\;,:\"])", r"\\\1", part) for part in wifi.partition(":"))
    return f"WIFI:T:{'WPA' if password else 'nopass'};S:{name};{f'P:{password};' if password else ''};"


def firewall(
    port: int, system: str = sys.platform, root: Path = Path("/"), found: Callable[[str], str | None] | None = None
) -> list[str]:
    """The commands, as lines to type, that let phones through this system's firewall. `found` looks for a program."""
    found = found or (lambda name: shutil.which(name) or shutil.which(name, path=SYSTEM_TOOLS))
    windows = (
        f"New-NetFirewallRule -DisplayName Tablewright -Direction Inbound -Protocol TCP -LocalPort {port} -Action Allow"
    )
    if system == "win32":
        return ["In a PowerShell opened as administrator:", windows]
    if system == "darwin":
        tool = "sudo /usr/libexec/ApplicationFirewall/socketfilterfw"
        return [f'{tool} --add "{sys.executable}"', f'{tool} --unblockapp "{sys.executable}"']
    if "microsoft" in _read(root / "proc/version").lower():
        mirrored = "In %UserProfile%\\.wslconfig, below [wsl2]: networkingMode=mirrored; then: wsl --shutdown"
        return [mirrored, "In a PowerShell of Windows opened as administrator:", windows]
    if found("ufw") and re.search(r"(?m)^ENABLED=yes", _read(root / "etc/ufw/ufw.conf")):
        return [f"sudo ufw allow {port}/tcp"]
    if found("firewall-cmd") and (root / "run/firewalld").exists():
        return [f"sudo firewall-cmd --add-port={port}/tcp"]
    if found("nft"):
        return [f"sudo nft insert rule inet filter input tcp dport {port} accept"]
    return [f"sudo iptables -I INPUT -p tcp --dport {port} -j ACCEPT"] if found("iptables") else []


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


__all__ = ["LOOPBACK", "firewall", "joining", "own_address"]
