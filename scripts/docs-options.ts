import { type Option, role, type Section, sections, tabs } from '@tollgate/contract'
import { code, table } from './docs-table.ts'

const longestDefault = 80

const defaultText = (option: Option): string => {
  const { fallback } = option
  if (option.secret || fallback === '') return 'empty'
  if (typeof fallback !== 'object' || fallback === null) return code(String(fallback))
  const text = Array.isArray(fallback) && option.control !== 'json' ? fallback.join(', ') : JSON.stringify(fallback)
  return text.length > longestDefault ? `${Object.keys(fallback).length} entries` : code(text)
}

const roleName = (least: number): string => (least >= role.root ? 'root' : 'admin')

const roles = (option: Option): string => {
  if (option.secret) return `nobody / ${roleName(option.write)}`
  return `${roleName(option.see)} / ${roleName(option.write)}`
}

const remarks = (option: Option): string =>
  [
    `${option.label.en}.`,
    option.help ? `${option.help.en}.` : '',
    option.requires ? `Needs ${option.requires.keys.map(code).join(' and ')} to be switched on.` : '',
    option.status ? `Published as ${code(option.status)}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')

const typeText = (option: Option): string => {
  const unit = option.unit ? ` (${option.unit})` : ''
  return option.secret ? 'Secret' : `${option.allowed.en}${unit}`
}

const sectionText = ({ title, options }: Section): string =>
  [
    `### ${title.en}`,
    table(
      ['Key', 'Default', 'Accepts', 'Read / write', 'Meaning'],
      Object.entries(options).map(([key, option]) => [
        code(key),
        defaultText(option),
        typeText(option),
        roles(option),
        remarks(option),
      ]),
    ),
  ].join('\n\n')

const intro = `# Options

Settings of the site, kept in the database and changed on the settings screen or by \`PUT /api/option/\`. Printed by \`npm run docs\` from
\`contract/src/options\`; do not edit.

A change is checked, stored and in force at once on the node that saved it, and on the others as soon as they hear of it (at the latest
after \`SYNC_FREQUENCY\` seconds). Maps are replaced as a whole. A stored value that cannot be read is ignored: what was in force stays, the
log says so, and the list of options names the problem. "Read / write" is the least role that finds an option in the list and that may
change it. Secrets are stored encrypted and never leave the server; the list only says which of them are stored.`

/** docs/reference/options.md */
export const optionsPage = (): string => {
  const ofTab = ({ tab, title }: (typeof tabs)[number]): string =>
    [`## ${title.en}`, ...sections.filter((entry) => entry.tab === tab).map(sectionText)].join('\n\n')
  return `${[intro, ...tabs.map(ofTab)].join('\n\n')}\n`
}
