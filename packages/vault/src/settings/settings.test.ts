import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import { PLAIN_GARDEN } from './garden.ts';
import { readLogseqConfig } from './logseq-config.ts';
import { readVaultFile } from './vault-file.ts';

describe('the dialect', () => {
  it.each([
    ['obsidian', '.obsidian/app.json', '{}'],
    ['logseq', 'logseq/config.edn', '{}'],
    ['foam', '.foam/templates/x.md', ''],
    ['foam', '.vscode/extensions.json', '{"recommendations": ["foam.foam-vscode"]}'],
    ['plain', '.vscode/settings.json', '{"editor.wordWrap": "on"}'],
    ['logseq', '.grove/vault.yaml', 'dialect: logseq'],
  ])('is %s by %s', async (dialect, file, text) => {
    await using folder = await temporaryVault({ [file]: text, 'A.md': '' });
    expect((await folder.open({ poll: true })).dialect).toBe(dialect);
  });
});

describe('.grove/vault.yaml', () => {
  it('sets zone, instructions and journal', async () => {
    await using folder = await temporaryVault({
      '.grove/vault.yaml':
        'zone: Asia/Tokyo\ninstructions: |\n  Write in German.\njournal:\n  folder: Days\n  format: DD.MM.YYYY\n',
      'AGENTS.md': 'not these',
      'Days/30.11.2026.md': '',
    });
    const vault = await folder.open({ poll: true, clock: { now: () => Date.parse('2026-11-29T20:00:00Z') } });
    expect(vault.zone).toBe('Asia/Tokyo');
    expect(vault.instructions).toBe('Write in German.');
    expect(vault.ownerView().resolve('today')).toMatchObject({
      step: 'journal',
      row: { path: 'Days/30.11.2026.md' },
    });
    expect(vault.health().remarks).toEqual([]);
  });

  it('says whether outside edits are committed, and tells who listens when that changes', async () => {
    await using folder = await temporaryVault({ 'A.md': '' });
    const vault = await folder.open({ poll: true });
    const heard: (boolean | null)[] = [vault.autocommit];
    const stop = vault.onSettings(() => heard.push(vault.autocommit));
    for (const word of ['true', 'false', 'perhaps']) {
      await folder.write('.grove/vault.yaml', `autocommit: ${word} # ${word}\n`);
      await vault.reconcile();
    }
    expect(heard).toEqual([null, true, false, false]);
    expect(vault.health().remarks.join()).toContain('line 1, key "autocommit"');
    stop();
    await folder.write('.grove/vault.yaml', 'zone: Asia/Tokyo\n');
    await vault.reconcile();
    expect([heard.length, vault.autocommit]).toEqual([4, null]);
  });

  it('keeps the git dir small unless the vault says otherwise', async () => {
    await using folder = await temporaryVault({ 'A.md': '' });
    const vault = await folder.open({ poll: true });
    expect(vault.maintenance).toBe(true);
    await folder.write('.grove/vault.yaml', 'maintenance: false\n');
    await vault.reconcile();
    expect(vault.maintenance).toBe(false);
    await folder.write('.grove/vault.yaml', 'maintenance: off\n');
    await vault.reconcile();
    expect(vault.maintenance).toBe(false);
    expect(vault.health().remarks.join()).toContain('line 1, key "maintenance"');
  });

  it('suggests links unless the vault says otherwise', async () => {
    await using folder = await temporaryVault({ 'A.md': '' });
    const vault = await folder.open({ poll: true });
    const heard: unknown[] = [vault.discovery];
    for (const text of ['off', 'wire', 'false']) {
      await folder.write('.grove/vault.yaml', `discovery: ${text}\n`);
      await vault.reconcile();
      heard.push(vault.discovery);
    }
    expect(heard).toEqual(['suggest', 'off', 'wire', 'wire']);
    expect(vault.health().remarks.join()).toContain('line 1, key "discovery"');
  });

  it('says when notes are of which stage, and which have none', async () => {
    await using folder = await temporaryVault({
      '.grove/vault.yaml':
        'garden:\n  leave_out: Templates\n  seed: {age: 2}\n  dormant:\n    untouched: 400\n',
      'A.md': '',
    });
    const vault = await folder.open({ poll: true });
    expect(vault.garden.stages).toEqual({
      ...PLAIN_GARDEN.stages,
      seed: { age: 2, words: 200, backlinks: 3 },
      dormant: { untouched: 400 },
    });
    expect(vault.garden.leaveOut.map(({ source }) => source)).toEqual(['Templates']);
    expect(vault.garden).toMatchObject({ inbox: null, inboxDays: 14 });
    await folder.write('.grove/vault.yaml', 'garden:\n  seed: {age: soon}\n');
    await vault.reconcile();
    expect(vault.garden.stages.seed.age).toBe(2);
    expect(vault.health().remarks.join()).toContain('line 2, key "garden.seed.age"');
  });

  it.each([
    ['leave_out: /home', 'line 2, key "garden.leave_out"'],
    ['leave_out: [A, "../B"]', 'key "garden.leave_out'],
    ['mature: {age: -1}', 'key "garden.mature.age"'],
    ['seed: 7', 'line 2, key "garden.seed"'],
  ])('refuses of stages: %s', (line, remark) => {
    const { file, remarks } = readVaultFile(`garden:\n  ${line}\n`);
    expect(file).toBeNull();
    expect(remarks.join()).toContain(remark);
  });

  it('tells of thresholds and stages that there are not', () => {
    const { remarks } = readVaultFile('garden:\n  seed: {words: 100, untouched: 3}\n  bloom: {age: 3}\n');
    expect(remarks).toEqual([
      '.grove/vault.yaml: line 3, key "garden.bloom" is not known and does nothing.',
      '.grove/vault.yaml: line 2, key "garden.seed.untouched" is not known and does nothing.',
    ]);
  });

  it('leaves the last good one in force when it breaks, and names key and line', async () => {
    await using folder = await temporaryVault({ '.grove/vault.yaml': 'zone: Asia/Tokyo\n', 'A.md': '' });
    const vault = await folder.open({ poll: true });
    await folder.write('.grove/vault.yaml', '# a comment\ninstructions: hello\nzone: Nowhere/City\n');
    await vault.reconcile();
    expect(vault.zone).toBe('Asia/Tokyo');
    expect(vault.instructions).toBeNull();
    expect(vault.health().remarks.join()).toMatch(/line 3, key "zone"/);
    await folder.write('.grove/vault.yaml', 'zone: Europe/Paris\n');
    await vault.reconcile();
    expect([vault.zone, vault.health().remarks]).toEqual(['Europe/Paris', []]);
  });

  it.each([
    ['a: [1\n', /line \d/],
    ['- a list\n', /not valid/],
    ['journal:\n  format: 7\n', /line 2, key "journal.format"/],
    ['dialect: emacs\n', /key "dialect"/],
    ['a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n', /not valid/],
  ])('is refused: %j', (text, remark) => {
    const reading = readVaultFile(text);
    expect(reading.file).toBeNull();
    expect(reading.remarks.join()).toMatch(remark);
  });

  it('tolerates keys that it does not know, and says so', () => {
    expect(readVaultFile('zone: UTC\ncolour: red\n')).toEqual({
      file: { zone: 'UTC' },
      remarks: ['.grove/vault.yaml: line 2, key "colour" is not known and does nothing.'],
    });
    expect(readVaultFile('')).toEqual({ file: {}, remarks: [] });
  });
});

describe('instructions', () => {
  it('are AGENTS.md, cut to 600 characters, unless the process hides it', async () => {
    await using folder = await temporaryVault({ 'AGENTS.md': `${'🌳'.repeat(700)}\n` });
    const vault = await folder.open({ poll: true });
    expect([...(vault.instructions ?? '')]).toHaveLength(600);
    await vault.close();
    const { parsePathRule, allowAll } = await import('../views/path-rule.ts');
    const policy = { ...allowAll, denyPaths: [parsePathRule('agents.md')] };
    expect((await folder.open({ poll: true, policy })).instructions).toBeNull();
  });
});

describe('readLogseqConfig', () => {
  it('reads the journal keys past comments, and falls back on Logseq’s defaults', () => {
    const text =
      ';; :journals-directory "no"\n{:journals-directory "days" ; :pages-directory "p"\n:x "; :file/name-format"}';
    expect(readLogseqConfig(text)).toEqual({
      journalsFolder: 'days',
      pagesFolder: 'pages',
      fileNameFormat: 'yyyy_MM_dd',
      pageTitleFormat: 'MMM do, yyyy',
      fileNames: 'legacy',
    });
    expect(readLogseqConfig('{:pages-directory "notes"}').pagesFolder).toBe('notes');
  });
});

describe('a tool’s own ignore list', () => {
  it('of Obsidian hides nothing, which the owner is told', async () => {
    await using folder = await temporaryVault({
      '.obsidian/app.json': '{"userIgnoreFilters": ["Archive/"]}',
      'Archive/Old.md': '',
    });
    const vault = await folder.open({ poll: true });
    expect(vault.ownerView().size).toBe(1);
    expect(vault.health().remarks.join()).toContain('userIgnoreFilters');
  });

  it('of Logseq hides nothing either', async () => {
    await using folder = await temporaryVault({
      'logseq/config.edn': '{;; :hidden ["x"]\n :hidden ["README.md" "/archived"]}',
      'README.md': '',
    });
    const vault = await folder.open({ poll: true });
    expect(vault.ownerView().size).toBe(1);
    expect(vault.health().remarks.join()).toContain('Logseq excludes 2 path(s)');
  });
});
