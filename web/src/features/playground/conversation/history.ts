import { type ChatConversation, type ConversationSummary, summaryOf } from './conversation.ts'
import { mergedWith, type Seen } from './merge.ts'

/** Conversations that stay in this browser. */
export interface History {
  /** Latest first. */
  list(): Promise<readonly ConversationSummary[]>
  read(id: string): Promise<ChatConversation | undefined>
  /**
   * Stores a conversation merged with the changes of other windows, and returns the merged one. A conversation without
   * messages is not stored.
   */
  write(conversation: ChatConversation, seen: Seen): Promise<ChatConversation>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

/** The oldest ones go when there are more. */
export const mostConversations = 50

const byTime = (a: ConversationSummary, b: ConversationSummary): number => b.updateAt - a.updateAt

/** For browsers that keep nothing, such as private windows: lasts as long as the page. */
export const openMemoryHistory = (): History => {
  const kept = new Map<string, ChatConversation>()
  return {
    list: async () => [...kept.values()].map(summaryOf).sort(byTime),
    read: async (id) => kept.get(id),
    write: async (conversation, seen) => {
      const merged = mergedWith(conversation, kept.get(conversation.id), seen)
      if (merged.messages.length > 0) kept.set(merged.id, merged)
      else kept.delete(merged.id)
      return merged
    },
    remove: async (id) => void kept.delete(id),
    clear: async () => kept.clear(),
  }
}

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const finished = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })

const stores = ['summaries', 'conversations'] as const

const openDatabase = (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    for (const store of stores) request.result.createObjectStore(store, { keyPath: 'id' })
  }
  return result(request)
}

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

/** One database per user, so that another account on the same machine cannot read the conversations. */
const openStoredHistory = async (userId: number): Promise<History> => {
  const database = await openDatabase(`playground-${userId}`)
  const summaries = (): Promise<ConversationSummary[]> =>
    result(database.transaction('summaries').objectStore('summaries').getAll() as IDBRequest<ConversationSummary[]>)
  const inBoth = (act: (store: IDBObjectStore) => unknown): Promise<void> => {
    const transaction = database.transaction(stores, 'readwrite')
    for (const store of stores) act(transaction.objectStore(store))
    return finished(transaction)
  }
  const remove = (id: string): Promise<void> => inBoth((store) => store.delete(id))

  /** Reads and writes in one transaction: no other window comes between. */
  const put = async (conversation: ChatConversation, seen: Seen): Promise<ChatConversation> => {
    const transaction = database.transaction(stores, 'readwrite')
    const done = finished(transaction)
    const store = transaction.objectStore('conversations')
    const summary = transaction.objectStore('summaries')
    let merged = conversation
    const kept = store.get(conversation.id) as IDBRequest<ChatConversation | undefined>
    kept.onsuccess = () => {
      merged = mergedWith(conversation, kept.result, seen)
      if (merged.messages.length === 0) {
        store.delete(merged.id)
        summary.delete(merged.id)
        return
      }
      store.put(merged)
      summary.put(summaryOf(merged))
    }
    await done
    return merged
  }

  const removeOldest = async (except: string): Promise<boolean> => {
    const oldest = (await summaries())
      .filter(({ id }) => id !== except)
      .sort(byTime)
      .at(-1)
    if (oldest) await remove(oldest.id)
    return oldest !== undefined
  }

  const write = async (conversation: ChatConversation, seen: Seen): Promise<ChatConversation> => {
    let merged: ChatConversation
    try {
      merged = await put(conversation, seen)
    } catch (error) {
      if (!isFull(error) || !(await removeOldest(conversation.id))) throw error
      return write(conversation, seen)
    }
    if ((await summaries()).length > mostConversations) await removeOldest(conversation.id)
    return merged
  }

  return {
    list: async () => (await summaries()).sort(byTime),
    read: (id) =>
      result(
        database.transaction('conversations').objectStore('conversations').get(id) as IDBRequest<
          ChatConversation | undefined
        >,
      ),
    write,
    remove,
    clear: () => inBoth((store) => store.clear()),
  }
}

/** The person's conversations in this browser's database, or in memory where there is none. */
export const openHistory = async (userId: number): Promise<History> => {
  if (!('indexedDB' in globalThis)) return openMemoryHistory()
  try {
    return await openStoredHistory(userId)
  } catch {
    return openMemoryHistory()
  }
}
