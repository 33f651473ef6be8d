import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseNote } from '../packages/markdown/src/index.ts';
import { currentSkills, skillsOnDisk } from './skills.ts';

describe('skills/', () => {
  it('is what the prompts say; else run node scripts/skills.ts', () => {
    expect(Object.fromEntries(skillsOnDisk())).toEqual(Object.fromEntries(currentSkills()));
  });

  it('has seven skills as Claude Code takes them: a name like its folder, and when to use it', () => {
    const skills = [...currentSkills()];
    expect(skills).toHaveLength(7);
    for (const [path, text] of skills) {
      const { frontmatter } = parseNote(text, { dialect: 'plain', path });
      const data = frontmatter.status === 'ok' ? frontmatter.data : {};
      const { name, description, 'argument-hint': hint, ...others } = data;
      expect(others).toEqual({});
      expect(name).toBe(dirname(path));
      expect(name).toMatch(/^[a-z][a-z-]{0,63}$/);
      expect(description).toMatch(/ Use when /);
      expect(String(description).length).toBeLessThan(1_024);
      expect(hint).toMatch(/^\[/);
      expect(text).toContain('$ARGUMENTS');
    }
  });
});
