import type { MemoryShare } from '../../lib/memory/reserved-memory.ts'
import type { NewStoredObject, StoredObject, StoredObjects, StoredOwner } from '../../relay/stored/ports.ts'

/** Above the order of any stored object. */
const laterThanStored = 2 ** 52

/** Responses of one socket, until it has closed. */
export interface SocketMemory extends StoredObjects {
  forget(): void
}

/** UTF-16 units that one socket may store. */
const mostText = 8 * 1024 * 1024

/**
 * Stores the responses of one socket, those with `store: false` included, and forwards to `shared` those that are to be stored for
 * longer. The oldest are evicted first, also where `share` has no room for more.
 */
export const createSocketMemory = (
  shared: StoredObjects,
  share: MemoryShare,
  isStored: (object: NewStoredObject) => boolean,
): SocketMemory => {
  const objects = new Map<string, { readonly object: StoredObject; readonly size: number }>()
  let size = 0
  let order = laterThanStored
  let isOver = false

  /** False when the memory for requests has no room for the stored responses. */
  const fits = (): boolean => {
    if (size > mostText) return false
    try {
      share.hold(size)
      return true
    } catch {
      return false
    }
  }

  const own = (thread: string): StoredObject[] =>
    [...objects.values()].flatMap(({ object }) => (object.thread === thread ? [object] : []))

  return {
    ...shared,
    put(object, days) {
      if (isStored(object)) shared.put(object, days)
      if (object.kind !== 'response' || isOver) return
      order += 1
      const length = JSON.stringify(object.content).length
      objects.set(object.id, { object: { ...object, order }, size: length })
      size += length
      for (const [id, entry] of objects) {
        if (fits()) break
        objects.delete(id)
        size -= entry.size
      }
      fits()
    },
    forget() {
      isOver = true
      objects.clear()
      size = 0
      share.end()
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
