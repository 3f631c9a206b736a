import type { NewStoredObject, StoredObject, StoredObjects, StoredOwner } from '../../relay/stored/ports.ts'

/** Above the order of any stored object. */
const laterThanStored = 2 ** 52

/** UTF-16 units of what one socket remembers. */
const mostText = 8 * 1024 * 1024

/**
 * Remembers the responses of one socket, those with `store: false` included, and passes on to `shared` what is to be stored.
 * The oldest are forgotten first.
 */
export const createSocketMemory = (
  shared: StoredObjects,
  isStored: (object: NewStoredObject) => boolean,
): StoredObjects => {
  const objects = new Map<string, { readonly object: StoredObject; readonly size: number }>()
  let size = 0
  let order = laterThanStored

  const own = (thread: string): StoredObject[] =>
    [...objects.values()].flatMap(({ object }) => (object.thread === thread ? [object] : []))

  return {
    ...shared,
    put(object, days) {
      if (isStored(object)) shared.put(object, days)
      if (object.kind !== 'response') return
      order += 1
      const length = JSON.stringify(object.content).length
      objects.set(object.id, { object: { ...object, order }, size: length })
      size += length
      for (const [id, entry] of objects) {
        if (size <= mostText) break
        objects.delete(id)
        size -= entry.size
      }
    },
    find: async (owner: StoredOwner, kind, id) =>
      (kind === 'response' ? objects.get(id)?.object : undefined) ?? shared.find(owner, kind, id),
    async thread(owner, thread) {
      const remembered = own(thread)
      const first = remembered[0]
      // Nothing before the first turn of this socket is only in its memory.
      const stored = first?.id === thread ? [] : await shared.thread(owner, thread)
      const ids = new Set(remembered.map(({ id }) => id))
      return [...stored.filter(({ id }) => !ids.has(id)), ...remembered]
    },
  }
}
