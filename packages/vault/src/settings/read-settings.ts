import { contentHash } from '@grove/core';
import { detectDialect } from './dialect.ts';
import { compileGarden } from './garden.ts';
import { type HeldWords, hashOf, type ReadWords, wordsOf } from './held-words.ts';
import { countHidden, LOGSEQ_DEFAULTS, readLogseqConfig } from './logseq-config.ts';
import { compileSchema } from './note-types.ts';
import { defaultJournals, readObsidianJournals, readTemplateFolder } from './obsidian-journals.ts';
import type { VaultSettings } from './settings.ts';
import { readJsonFile, readSettingsFile, refusalOfFile } from './settings-file.ts';
import { readVaultFile, unreadableVaultFile, VAULT_FILE, type VaultFile } from './vault-file.ts';

/** Longest instructions that are handed to agents, in characters. */
const MAX_INSTRUCTIONS = 600;
/** Where many tools look for words to agents: https://agents.md. */
const AGENTS_FILE = 'AGENTS.md';

/** Settings with the owner's file they were made from, so that a bad one leaves the last good one in force. */
export interface SettingsReading {
  readonly settings: VaultSettings;
  readonly file: VaultFile;
  /** The text of the vault's file as it is now; null when there is none, or one that is not valid. */
  readonly text: string | null;
  readonly isValid: boolean;
  /** What the vault's file says of its own, whether that counts or not. */
  readonly read: ReadWords;
}

/**
 * Reads what the folder says about itself. `previous` is the last valid file, when there was one; `mayRead`
 * the process policy, for the one note that settings are taken from (AGENTS.md); `held` what the owner has not agreed to.
 */
export async function readSettings(
  root: string,
  mayRead: (path: string) => boolean,
  previous: VaultFile | null,
  held: HeldWords,
): Promise<SettingsReading> {
  const text = await readSettingsFile(root, VAULT_FILE);
  const refusal = text === null ? await refusalOfFile(root, VAULT_FILE) : null;
  const reading =
    refusal !== null
      ? unreadableVaultFile(refusal)
      : text === null
        ? { file: {}, remarks: [] }
        : readVaultFile(text);
  const file = reading.file ?? previous ?? {};
  const dialect = file.dialect ?? (await detectDialect(root));
  const config = dialect === 'logseq' ? ((await readSettingsFile(root, 'logseq/config.edn')) ?? '') : '';
  const remarks = [...reading.remarks, ...hiddenByTools(await ignoredByObsidian(root), countHidden(config))];

  const logseq = dialect === 'logseq' ? readLogseqConfig(config) : LOGSEQ_DEFAULTS;
  const journals = dialect === 'obsidian' ? await readObsidianJournals(root) : defaultJournals();
  if (dialect === 'logseq') {
    journals.daily = {
      ...journals.daily,
      folder: logseq.journalsFolder,
      format: logseq.fileNameFormat,
      style: 'java',
    };
  }
  if (file.journal !== undefined) {
    journals.daily = {
      folder: file.journal.folder?.replaceAll(/^\/+|\/+$/g, '') ?? journals.daily.folder,
      format: file.journal.format ?? journals.daily.format,
      style: file.journal.format === undefined ? journals.daily.style : 'moment',
      template: file.journal.template ?? journals.daily.template,
    };
  }
  const isAgents = file.instructions === undefined && mayRead(AGENTS_FILE);
  const agents = isAgents ? await readSettingsFile(root, AGENTS_FILE) : null;
  const isValid = reading.file !== null;
  const read = { words: wordsOf(file), hash: hashOf(text), isValid };
  // Asked at the end: what is held while the file is read counts too.
  const waiting = held.waiting(read);
  const settings: VaultSettings = {
    dialect,
    zone: file.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    instructions: cut(file.instructions ?? agents),
    instructionsNote: agents === null ? null : contentHash(Buffer.from(agents, 'utf8')),
    journals,
    logseq,
    schema: compileSchema(
      file.types ?? {},
      file.tags_include_type ?? true,
      Object.values(journals).map(({ template }) => template),
      dialect === 'obsidian' ? await readTemplateFolder(root) : null,
    ),
    ...held.over(read),
    maintenance: file.maintenance ?? true,
    garden: compileGarden(file.garden ?? {}),
    remarks: waiting === null ? remarks : [waiting, ...remarks],
  };
  return { settings, file, text: isValid ? text : null, isValid, read };
}

async function ignoredByObsidian(root: string): Promise<number> {
  const filters = (await readJsonFile(root, '.obsidian/app.json'))?.userIgnoreFilters;
  return Array.isArray(filters) ? filters.length : 0;
}

/** Ignore lists of the tools hide nothing here: the owner decides what agents see by path policy. */
function hiddenByTools(obsidian: number, logseq: number): string[] {
  const tell = (tool: string, paths: number, setting: string): string[] =>
    paths === 0
      ? []
      : [
          `${tool} excludes ${paths} path(s) from its own search (${setting}); Grove does not. ` +
            'Use GROVE_DENY_PATHS to hide notes.',
        ];
  return [...tell('Obsidian', obsidian, 'userIgnoreFilters'), ...tell('Logseq', logseq, ':hidden')];
}

function cut(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  return [...trimmed].slice(0, MAX_INSTRUCTIONS).join('');
}
