import { type ErrorText, errors } from '@tollgate/contract'
import { code, table } from './docs-table.ts'

const intro = `# Errors

Everything that can go wrong for a caller. Printed by \`npm run docs\` from \`contract/src/errors.ts\`; do not edit.

Calls of the console answer \`{success: false, message, code, request_id}\` with HTTP status 200 unless the column "console" says otherwise.
Calls of the relay answer an error object in the caller's dialect with the status of the column "relay". \`{name}\` is filled in. "Origin"
says who is to blame: the client, this gateway, or the upstream.`

/** docs/reference/errors.md */
export const errorsPage = (): string =>
  `${intro}\n\n${table(
    ['Code', 'Relay', 'Console', 'Origin', 'English', 'Chinese'],
    Object.entries<ErrorText>(errors).map(([name, entry]) => [
      code(name),
      String(entry.status),
      String(entry.consoleStatus ?? 200),
      entry.origin,
      entry.en,
      entry.zh,
    ]),
  )}\n`
