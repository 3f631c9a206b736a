import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { receiptJudge } from '../../../server/test/support/answer-costs/receipt-script.ts'
import type { Finished } from './load.ts'

interface Judge {
  judge(given: Buffer, known: readonly object[]): void
}

interface SignedReceipt {
  readonly receipt: { readonly id: string; readonly cost: string }
}

const isGood = ({ judge }: Judge, given: Buffer, keys: readonly object[]): boolean => {
  try {
    judge(given, keys)
    return true
  } catch {
    return false
  }
}

/**
 * Fetches receipts of as many calls whose answer stated its cost as `most`, and judges them with the script of the documentation: each
 * says the same cost and is good, and is not good any more with one byte changed. Returns how many, and what is wrong.
 */
export const checkReceipts = async (
  url: string,
  finished: readonly Finished[],
  { most, random }: { readonly most: number; readonly random: () => number },
): Promise<{ readonly checked: number; readonly problems: readonly string[] }> => {
  const folder = await mkdtemp(join(tmpdir(), 'receipts-'))
  const file = join(folder, 'judge.mjs')
  await writeFile(file, await receiptJudge())
  const script = (await import(file)) as Judge
  await rm(folder, { recursive: true })
  const { keys } = (await (await fetch(`${url}/.well-known/tollgate-receipts.json`)).json()) as { keys: object[] }
  const problems: string[] = []
  const answered = finished.filter(({ outcome }) => outcome.stated?.dollars !== undefined)
  const chosen = answered.filter(() => random() < most / answered.length)
  for (const { key, outcome } of chosen) {
    const { receipt: id = '', dollars } = outcome.stated ?? {}
    const response = await fetch(`${url}/v1/receipts/${id}`, { headers: { authorization: `Bearer ${key}` } })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status !== 200) {
      problems.push(`the receipt ${id} was answered with ${response.status}`)
      continue
    }
    const { receipt } = JSON.parse(bytes.toString()) as SignedReceipt
    if (receipt.id !== id || receipt.cost !== dollars)
      problems.push(`the receipt ${id} says ${receipt.cost}, not ${dollars}`)
    if (!isGood(script, bytes, keys)) problems.push(`the receipt ${id} is not good`)
    const at = Math.floor(random() * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(random() * 255))
    if (isGood(script, bytes, keys)) problems.push(`the receipt ${id} is good with another byte ${at}`)
  }
  return { checked: chosen.length, problems }
}
