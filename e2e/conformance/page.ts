import { chunkings } from './chunkings.ts'
import type { DialectName } from './dialect-name.ts'
import { clientNames, type Result } from './program.ts'

/** Prints the results of the program as the page docs/conformance.md. */

const labels: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'Chat completions',
  'openai-responses': 'Responses',
  anthropic: 'Messages',
  gemini: 'generateContent',
}

const passed = (results: readonly Result[]): string => {
  const good = results.filter(({ complaints }) => complaints.length === 0).length
  return `${good} / ${results.length}`
}

const nameOf = ({ row: { served } }: Result): string => `${served.provider}, ${served.format}`

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const tableOf = (results: readonly Result[]): string[] => {
  const groups = Map.groupBy(results, nameOf)
  const rows = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, rowsOfName]) => {
      const exchanges = new Set(rowsOfName.map(({ row }) => row.recording.id)).size
      const byClient = clientNames.map((client) => passed(rowsOfName.filter(({ row }) => row.client === client)))
      return line([name, String(exchanges), ...byClient])
    })
  const all = clientNames.map((client) => passed(results.filter(({ row }) => row.client === client)))
  const exchanges = new Set(results.map(({ row }) => row.recording.id)).size
  return [
    line(['Provider and format', 'Exchanges', ...clientNames.map((client) => labels[client])]),
    line(['---', '---:', ...clientNames.map(() => '---:')]),
    ...rows,
    line(['**all**', String(exchanges), ...all]),
  ]
}

const failures = (results: readonly Result[]): string[] => {
  const failed = results.filter(({ complaints }) => complaints.length > 0)
  if (failed.length === 0) return []
  const lines = failed.map(
    ({ row, complaints }) =>
      `- ${row.client} ← ${row.recording.id}, cut by ${row.chunking}: ${complaints
        .join('; ')
        .replaceAll(/[\n|<>]/g, ' ')
        .slice(0, 200)}`,
  )
  return ['', '## What failed', '', ...lines.toSorted()]
}

export const pageOf = (results: readonly Result[]): string =>
  [
    '# Conformance',
    '',
    'Recorded exchanges of real providers, played through the built gateway to the official clients of four dialects (`openai`,',
    '`@anthropic-ai/sdk`, `@google/genai`, unmodified). `npm run conformance` writes this page; a part of it runs with `npm run proof`.',
    '',
    'A row passes when text, thoughts, tool calls (ids, names, parsed arguments), the reason for the end and the usage are those of the',
    'recording, and the bill in the log has the same tokens. Errors have to arrive with their status. Where client and provider speak',
    'the same language, the answer has to be the recorded one, event by event.',
    '',
    `Each exchange is played once per client and per way to cut its bytes: ${chunkings.map((chunking) => `\`${chunking}\``).join(', ')}.`,
    '',
    ...tableOf(results),
    ...failures(results),
    '',
  ].join('\n')
