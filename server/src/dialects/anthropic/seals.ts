import { sealMade, sealOf } from '../conversation/gaps/seals.ts'
import { isObject, type JsonObject, listOf, membersOf, objectsOf } from '../conversation/json.ts'
import type { SealRules } from '../dialect.ts'
import { readThought } from './blocks.ts'

/** Thoughts of Claude, and those of other makers whose signatures carry a mark. */

const sealIn = (block: JsonObject): string | undefined => {
  const thought = readThought(block)
  return thought === undefined ? undefined : sealOf(thought)
}

/** Seals of an answer's blocks; none where its model does not bind its thoughts to an account. */
export const sealsMade = (blocks: unknown, model: string): string[] =>
  objectsOf(blocks).flatMap((block) => {
    const thought = readThought(block)
    return (thought && sealMade(thought, model)) ?? []
  })

export const seals: SealRules = {
  names: [Buffer.from('"signature"'), Buffer.from('"redacted_thinking"')],
  in: ({ messages }) =>
    objectsOf(messages).flatMap(({ content }) => objectsOf(content).flatMap((block) => sealIn(block) ?? [])),
  // The provider refuses a turn without content.
  without: ({ messages }, isUnreadable) => ({
    messages: listOf(messages).flatMap((message) => {
      const { content } = membersOf(message)
      if (!Array.isArray(content)) return [message]
      const kept = content.filter((block: unknown) => {
        const seal = isObject(block) ? sealIn(block) : undefined
        return seal === undefined || !isUnreadable(seal)
      })
      if (kept.length === content.length) return [message]
      return kept.length === 0 ? [] : [{ ...membersOf(message), content: kept }]
    }),
  }),
}
