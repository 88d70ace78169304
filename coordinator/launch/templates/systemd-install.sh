#!/bin/sh
# Installs the units for this user and starts them: a coordinator and @workers@ workers, after each boot if lingering is
# enabled (loginctl enable-linger). Logs: journalctl --user -u 'etna-*'.
set -eu
units=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
mkdir -p "$units"
cp '@directory@/etna-coordinator.service' '@directory@/etna-worker@.service' "$units/"
systemctl --user daemon-reload
systemctl --user enable --now etna-coordinator.service
for i in $(seq @workers@); do systemctl --user enable --now "etna-worker@$i.service"; done
echo "then: '@etna@' batch LIST.jsonl -o OUT --connect '@listen@'"
