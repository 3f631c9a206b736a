import { logEvents } from '../server/src/lib/log-events.ts'
import { code, table } from './docs-table.ts'

const intro = `# Log events

The message of each line of the log is one of these events; the line's fields say the rest. Printed by \`npm run docs\` from
\`server/src/lib/log-events.ts\`; do not edit.`

/** docs/reference/log-events.md */
export const logEventsPage = (): string =>
  `${intro}\n\n${table(
    ['Event', 'Meaning'],
    Object.entries(logEvents).map(([event, meaning]) => [code(event), meaning]),
  )}\n`
