import { addChannel, addCustomer, addKey, type Person, signIn } from '../../support/operator.ts'
import type { Payer } from './call-kinds.ts'

const richBalance = 1_000_000_000_000
const poorBalance = 3000
const poorUsers = 4
/** Limits of keys: one that no run uses up, and one that every run does. */
const wideLimit = 1_000_000_000
const narrowLimit = 10_000

/** Payers of a run. */
export interface Accounts {
  readonly keys: Readonly<Partial<Record<Payer, readonly string[]>>>
  /** Amount that each user was given, by id. */
  readonly credits: Map<number, number>
  /** Gives the poor something to spend, while they spend it. */
  topUp(): Promise<void>
  /** A new key of who never runs dry; calls use it from now on. */
  addRichKey(): Promise<void>
}

/** Adds a channel to `upstreamUrl` and everybody who pays, with their keys. */
export const openAccounts = async (url: string, upstreamUrl: string): Promise<Accounts> => {
  const operator = await signIn(url)
  await addChannel(operator, upstreamUrl)
  const credits = new Map<number, number>()
  const openAccount = async (name: string, balance: number): Promise<Person> => {
    const person = await addCustomer(url, operator, name, balance)
    credits.set(person.id, balance)
    return person
  }
  const limited = (limit: number): Record<string, unknown> => ({ unlimited_quota: false, remain_quota: limit })
  const richPerson = await openAccount('rich', richBalance)
  const rich = [await addKey(richPerson), await addKey(richPerson, limited(wideLimit))]
  const poorPeople: Person[] = []
  for (let number = 1; number <= poorUsers; number += 1)
    poorPeople.push(await openAccount(`poor${number}`, poorBalance))
  const poor = await Promise.all(poorPeople.map((person) => addKey(person)))
  poor.push(await addKey(richPerson, limited(narrowLimit)))
  const withCost = [await addKey(richPerson, { include_cost: true })]
  const unknown = Array.from({ length: 5 }, (_, index) => `sk-${String(index).repeat(48)}`)
  const topUp = async (): Promise<void> => {
    for (const { id } of poorPeople) {
      await operator.must('PUT', '/api/user/', { id, quota_delta: poorBalance, reason: 'kills' })
      credits.set(id, (credits.get(id) ?? 0) + poorBalance)
    }
  }
  const addRichKey = async (): Promise<void> => {
    rich.push(await addKey(richPerson))
  }
  return { keys: { rich, poor, unknown, withCost }, credits, topUp, addRichKey }
}
