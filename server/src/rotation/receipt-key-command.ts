import { parseArgs } from 'node:util'
import { openReceiptKeys } from '../features/receipts/signing-keys.ts'
import { withSecrets } from './with-secrets.ts'

const usage = `Usage: tollgate renew-receipt-key

Makes a new key with which all nodes sign receipts from now on. The keys before it stay at /.well-known/tollgate-receipts.json, so receipts
that they signed can be checked as before.`

/** `tollgate renew-receipt-key`: replaces the key that signs receipts. Answers the exit code. */
export const runReceiptKeyCommand = async (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
  print: (line: string) => unknown = (line) => process.stdout.write(`${line}\n`),
): Promise<number> => {
  const { values } = parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help === true) {
    print(usage)
    return 0
  }
  const key = await withSecrets(environment, (opened) => openReceiptKeys({ ...opened, clock: Date.now }).renew())
  print(`Receipts are signed with the key ${key}.`)
  return 0
}
