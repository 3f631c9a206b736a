import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { now, openTestLogs, type TestLogs } from '../../../test/support/features/logs.ts'
import type { SignedIn } from '../../../test/support/features/signed-in.ts'
import type { Database } from '../../db/database.ts'

describeEachEngine('sums of the usage log', (open) => {
  let database: Database
  let logs: TestLogs

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    logs = await openTestLogs(database)
  })

  const data = async <T>(caller: SignedIn, path: string): Promise<T> => {
    const { json } = await caller('GET', path)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as T
  }

  it('sums charges over the range and requests over the last minute', async () => {
    await logs.write(
      { user_id: 7, quota: 100, prompt_tokens: 10, completion_tokens: 5, created_at: now - 30 },
      { user_id: 7, quota: 200, prompt_tokens: 10, completion_tokens: 5, created_at: now - 90 },
      { user_id: 7, quota: 999, type: 1 },
      { user_id: 8, quota: 50, prompt_tokens: 1, completion_tokens: 1, created_at: now - 1, username: 'alice' },
    )
    expect(await data(logs.admin, '/api/log/stat?type=1')).toEqual({ quota: 350, rpm: 2, tpm: 17 })
    expect(await data(logs.admin, `/api/log/stat?end_timestamp=${now - 60}`)).toEqual({ quota: 200, rpm: 2, tpm: 17 })
    expect(await data(logs.user, '/api/log/self/stat')).toEqual({ quota: 300, rpm: 1, tpm: 15 })
    expect(await data(logs.user, '/api/log/self/stat?model_name=none')).toEqual({ quota: 0, rpm: 0, tpm: 0 })
  })

  it('excludes channel tests from sums, since they are charged to no user', async () => {
    await logs.write(
      { user_id: 7, quota: 100 },
      { user_id: 7, quota: 60, token_id: 0, token_name: '模型测试', content: '模型测试' },
      { user_id: 7, quota: 5, token_id: 3, token_name: '模型测试' },
    )
    expect(await data(logs.admin, '/api/log/stat')).toMatchObject({ quota: 105 })
  })

  it('sums the same from sums and rows together as from rows alone, wherever a range begins and ends', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      created_at: now - index * 7_321,
      quota: 2 ** (index % 20),
      model_name: `model-${index % 3}`,
      type: index % 9 === 0 ? 5 : 2,
    }))
    const ranges = [
      '',
      `start_timestamp=${now - 1_000_000}&end_timestamp=${now - 100_000}`,
      `start_timestamp=${now - 5_000}&end_timestamp=${now}`,
      `start_timestamp=${now - 700_000}&model_name=model-1`,
      `start_timestamp=${now - 86_400}&end_timestamp=${now - 43_200}`,
    ]
    const read = async () => {
      const sums: unknown[] = []
      for (const range of ranges) sums.push((await data<{ quota: number }>(logs.admin, `/api/log/stat?${range}`)).quota)
      return sums
    }
    await logs.write(...rows)
    const plain = await read()
    logs = await openTestLogs(database)
    await logs.charge(...rows)
    expect(await read()).toEqual(plain)
    // Charges remain when their log is deleted.
    await database.query
      .deleteFrom('logs')
      .where('created_at', '<', now - 90_000)
      .execute()
    expect((await read())[0]).toBe(plain[0])
  })
})
