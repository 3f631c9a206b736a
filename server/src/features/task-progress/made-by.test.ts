import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { taskRecord } from '../../../test/support/features/task-bench.ts'
import { plantKeys, readersOf } from '../../../test/support/organisations/organisation-keys.ts'
import { writeTasks } from '../../ledger/apply/task-rows.ts'
import { openTaskBooks } from './books.ts'
import { openOpenTasks } from './open-tasks.ts'

describeEachEngine('tasks of an organisation’s wallet', (open) => {
  it('are read by keys of their member, or of their project for machines, and those from before by all keys', async () => {
    const database = await open()
    const planted = await plantKeys(database)
    const keys = Object.entries(planted)
    const [books, tasks] = [openTaskBooks(database), openOpenTasks(database)]
    const drawingOf = (name: string) => `drawing of ${name}`
    const songOf = (name: string) => `song of ${name}`
    const song = { platform: 'suno', action: 'MUSIC', status: 'NOT_START' } as const
    await writeTasks(
      database,
      keys.flatMap(([name, key]) => [
        taskRecord({ userId: key.userId, tokenId: key.tokenId }, { taskId: drawingOf(name) }),
        taskRecord({ userId: key.userId, tokenId: key.tokenId }, { ...song, taskId: songOf(name) }),
      ]),
    )
    const reading = async (found: (key: (typeof keys)[number][1]) => Promise<unknown>): Promise<string[]> =>
      (await Promise.all(keys.map(async ([reader, key]) => ((await found(key)) ? [reader] : [])))).flat()

    for (const [name] of keys) {
      const readers = readersOf[name]
      expect(await reading((key) => books.drawing(key, drawingOf(name)))).toEqual(readers)
      expect(await reading((key) => books.song(key, songOf(name)))).toEqual(readers)
      const own = (platform: 'midjourney' | 'suno', id: string) =>
        reading(async (key) => (await tasks.own(platform, key, id)).exists)
      expect(await own('midjourney', drawingOf(name))).toEqual(readers)
      expect(await own('suno', songOf(name))).toEqual(readers)
    }
    for (const [reader, key] of keys) {
      const readable = keys.flatMap(([name]) => (readersOf[name]?.some((one) => one === reader) ? [name] : []))
      const all = keys.map(([name]) => name)
      expect((await books.drawings(key, all.map(drawingOf))).map(({ mj_id }) => mj_id)).toEqual(readable.map(drawingOf))
      expect((await books.songs(key, all.map(songOf))).map(({ task_id }) => task_id)).toEqual(readable.map(songOf))
    }

    await database.query.updateTable('midjourneys').set({ token_id: 0 }).execute()
    // The payer is enough, but for a key whose maker has left.
    const readers = keys.map(([name]) => name).filter((name) => name !== 'left1')
    expect(await reading((key) => books.drawing(key, drawingOf('bob1')))).toEqual(readers)
    const stranger = { ...planted.bob1, userId: 71 }
    expect(await books.drawing(stranger, drawingOf('bob1'))).toBeUndefined()
  })
})
