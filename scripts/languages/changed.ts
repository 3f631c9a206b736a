import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSources, root, type SourceText } from './sources.ts'

export interface ChangedText {
  readonly before: SourceText
  readonly after: SourceText
}

/** Links the installed packages into another tree, whose own workspaces stand in the place of these. */
const linkPackages = (tree: string): void => {
  const modules = join(tree, 'node_modules')
  mkdirSync(join(modules, '@tollgate'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@tollgate') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(root, 'node_modules/@tollgate')))
    symlinkSync(join(tree, name), join(modules, '@tollgate', name))
}

/** Texts of the console as they were in a commit, read by its own reader. Throws where git does not know the commit. */
const sourcesOf = async (commit: string): Promise<readonly SourceText[]> => {
  const tree = mkdtempSync(join(tmpdir(), 'tollgate-texts-'))
  try {
    const files = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', tree], { input: files })
    linkPackages(tree)
    const reader = (await import(join(tree, 'scripts/languages/sources.ts'))) as { readSources: typeof readSources }
    return reader.readSources()
  } finally {
    rmSync(tree, { recursive: true })
  }
}

const nameOf = ({ namespace, key }: SourceText): string => `${namespace}\n${key}`

/** Texts that differ between two states. A phrase has its English text as its key, so one with the same Chinese text is its new form. */
export const changedTexts = (before: readonly SourceText[], after: readonly SourceText[]): readonly ChangedText[] => {
  const now = new Map(after.map((text) => [nameOf(text), text]))
  const known = new Set(before.map(nameOf))
  const renamed = new Map(after.filter((text) => !known.has(nameOf(text))).map((text) => [text.zh, text]))
  return before.flatMap((text) => {
    const next = now.get(nameOf(text)) ?? (text.namespace === 'phrases' ? renamed.get(text.zh) : undefined)
    return next !== undefined && (next.en !== text.en || next.zh !== text.zh) ? [{ before: text, after: next }] : []
  })
}

/** The texts that have changed since a commit, as a list: English and Chinese, before and after. */
export const printChanged = async (commit: string): Promise<string> => {
  const lines = changedTexts(await sourcesOf(commit), readSources()).flatMap(({ before, after }) => [
    `- \`${after.namespace}.${after.key}\``,
    ...(before.en === after.en ? [] : [`  - en: ${before.en} → ${after.en}`]),
    ...(before.zh === after.zh ? [] : [`  - zh: ${before.zh} → ${after.zh}`]),
  ])
  return lines.join('\n')
}
