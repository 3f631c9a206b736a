import { sealOf as sealOfThought } from '../conversation/gaps/seals.ts'
import { type JsonObject, listOf, membersOf, objectsOf, textOf } from '../conversation/json.ts'
import { unwrapSignature } from '../conversation/signatures.ts'
import type { SealRules } from '../dialect.ts'

/** Ciphertext of an item that only its maker's account can read; empty for all others. */
const sealOf = ({ type, encrypted_content: text }: JsonObject): string => {
  if (type !== 'reasoning' && type !== 'compaction') return ''
  const sealed = textOf(text)
  return unwrapSignature(sealed) === undefined ? sealed : ''
}

/** Ciphertext of an item that only its maker's account can read, also of other makers. */
const anySealOf = (item: JsonObject): string => {
  const foreign = unwrapSignature(textOf(item.encrypted_content))
  return foreign === undefined ? sealOf(item) : (sealOfThought(foreign) ?? '')
}

/** Ciphertexts of the items of an answer or a request, in their order. */
export const sealsOfItems = (items: unknown): string[] =>
  objectsOf(items)
    .map(sealOf)
    .filter((seal) => seal !== '')

/** The items from the last summary on: it takes the place of all before it (developers.openai.com/api/docs/guides/compaction). */
const withoutSuperseded = (input: unknown): readonly unknown[] => {
  const items = listOf(input)
  const last = items.findLastIndex((item) => membersOf(item).type === 'compaction')
  if (last <= 0) return items
  return items.filter((item, place) => place >= last || sealOf(membersOf(item)) === '')
}

/** Items without a name: OpenAI refuses a named call whose reasoning lacks. */
export const unnamedItem = (item: unknown): unknown => {
  const { type, id: _, ...rest } = membersOf(item)
  return type === 'function_call' || type === 'custom_tool_call' || type === 'message' ? { type, ...rest } : item
}

export const seals: SealRules = {
  names: [Buffer.from('"encrypted_content"')],
  in: ({ input }) =>
    objectsOf(withoutSuperseded(input))
      .map(anySealOf)
      .filter((seal) => seal !== ''),
  // The last summary cannot be left out: nothing else tells what came before it.
  without: ({ input }, isUnreadable) => ({
    input: withoutSuperseded(input)
      .filter((item) => {
        const members = membersOf(item)
        return members.type !== 'reasoning' || !isUnreadable(sealOf(members))
      })
      .map(unnamedItem),
  }),
}
