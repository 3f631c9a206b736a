import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '#server-test/rights/calls.ts'
import type { Person } from '#server-test/rights/people.ts'
import { openRightsSite, type RightsSite } from '#server-test/rights/site.ts'
import { describeEachServer } from '#server-test/support/db/databases.ts'
import { type TestRedis, testRedis } from '#server-test/support/lib/redis.ts'
import { openScimBench, patchSchema, type ScimAnswer, type ScimBench, userSchema } from '../tests/scim-bench.ts'

/** Two nodes with one database and one Redis: an identity provider may call either of them, and both at once. */

describeEachServer('SCIM on two nodes', (place, engine) => {
  let redis: TestRedis
  let bench: ScimBench
  let second: RightsSite

  beforeAll(async () => {
    redis = await testRedis()
    await redis.start()
    const environment = { REDIS_CONN_STRING: redis.url }
    const address = await place()
    bench = await openScimBench(async () => address, engine, { ...environment, NODE_NAME: 'one' })
    second = await openRightsSite({ ...environment, SQL_DSN: address.url, NODE_NAME: 'two' })
  })
  afterAll(async () => {
    await second?.close()
    await bench?.close()
    await redis?.stop()
  })

  /** A call with the organisation's token at the first node (even numbers) or the second. */
  const at = async (
    node: number,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimAnswer> => {
    const answer = await (node % 2 === 0 ? bench.site : second).ask({
      method,
      path: `/scim/v2/${bench.organisation}/${path}`,
      headers: { authorization: `Bearer ${bench.token}`, 'content-type': 'application/scim+json', ...headers },
      ...(body === undefined ? {} : { body }),
    })
    return { ...answer, body: answer.text === '' ? {} : (JSON.parse(answer.text) as Record<string, unknown>) }
  }
  const operations = (...Operations: object[]) => ({ schemas: [patchSchema], Operations })
  const each = <T>(count: number, ask: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
  const statuses = (answers: readonly ScimAnswer[]): number[] => answers.map(({ status }) => status).toSorted()

  it('lets one of many changes of the same version through, and refuses the others', async () => {
    const id = await bench.made({ userName: 'race@northwind.example' })
    for (let round = 0; round < 5; round += 1) {
      const version = String((await at(round, 'GET', `Users/${id}`)).headers.get('etag'))
      const answers = await each(6, (index) => {
        const headers = { 'if-match': version }
        const displayName = `Round ${round} by ${index}`
        return index % 3 === 0
          ? at(
              index,
              'PUT',
              `Users/${id}`,
              { schemas: [userSchema], userName: 'race@northwind.example', displayName },
              headers,
            )
          : at(
              index,
              'PATCH',
              `Users/${id}`,
              operations({ op: 'replace', path: 'displayName', value: displayName }),
              headers,
            )
      })
      expect(statuses(answers)).toEqual([200, 412, 412, 412, 412, 412])
      const winner = answers.find(({ status }) => status === 200)
      const [one, two] = await each(2, (node) => at(node, 'GET', `Users/${id}`))
      expect([one?.body.displayName, two?.body.displayName]).toEqual([
        winner?.body.displayName,
        winner?.body.displayName,
      ])
      expect(one?.headers.get('etag')).toBe(winner?.headers.get('etag'))
    }
  })

  it('keeps every change of a group that names no version', async () => {
    const ids = await each(10, (index) => bench.made({ userName: `crowd${index}@northwind.example` }))
    const group = String((await bench.scim('POST', 'Groups', { displayName: 'Platform' })).body.id)
    const added = await each(ids.length, (index) =>
      at(index, 'PATCH', `Groups/${group}`, operations({ op: 'add', path: 'members', value: [{ value: ids[index] }] })),
    )
    expect(statuses(added)).toEqual(ids.map(() => 200))
    const members = async () =>
      ((await at(1, 'GET', `Groups/${group}`)).body.members as { value: string }[] | undefined)
        ?.map(({ value }) => value)
        .toSorted()
    expect(await members()).toEqual(ids.toSorted())
    for (const id of ids) expect(await bench.placesOf(id)).toEqual({ 0: 'member', [bench.team]: 'member' })
    // Half are taken out while the other half is renamed, on both nodes.
    const changed = await each(ids.length, (index) =>
      index < 5
        ? at(index, 'PATCH', `Groups/${group}`, operations({ op: 'remove', path: `members[value eq "${ids[index]}"]` }))
        : at(index, 'PATCH', `Users/${ids[index]}`, operations({ op: 'replace', path: 'displayName', value: 'New' })),
    )
    expect(statuses(changed)).toEqual(ids.map(() => 200))
    expect(await members()).toEqual(ids.slice(5).toSorted())
    for (const id of ids.slice(0, 5)) expect(await bench.placesOf(id)).toEqual({ 0: 'member' })
    const version = (await at(0, 'GET', `Groups/${group}`)).headers.get('etag')
    expect(version).toBe(`W/"${1 + ids.length + 5}"`)
  })

  it('makes a user and a group of one name once', async () => {
    const users = await each(6, (index) =>
      at(index, 'POST', 'Users', { schemas: [userSchema], userName: 'Twice@northwind.example' }),
    )
    expect(statuses(users)).toEqual([201, 409, 409, 409, 409, 409])
    const groups = await each(6, (index) => at(index, 'POST', 'Groups', { displayName: 'Twice' }))
    expect(statuses(groups)).toEqual([201, 409, 409, 409, 409, 409])
  })

  it('stops the session and the keys of somebody who is suspended or removed, on the other node', async () => {
    const { patch, made, signIn } = bench
    const id = await made({ userName: 'leaver@northwind.example' })
    const person = await signIn(id)
    const callWithKey = await bench.projectCalls(person)
    const call = (): Promise<number> => callWithKey(second)
    const isIn = async (who: Person): Promise<boolean | undefined> =>
      (await second.ask({ method: 'GET', path: '/api/user/self', headers: withSession(who) })).json.success
    /** A notice comes long before the minute is over after which a node looks by itself. */
    const until = (status: number) => expect.poll(call, { timeout: 30_000, interval: 5 }).toBe(status)
    // The other node keeps the key in memory from here on.
    await until(200)
    expect(await isIn(person)).toBe(true)
    await patch(`Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(await isIn(person)).toBe(false)
    await until(401)
    await patch(`Users/${id}`, { op: 'replace', path: 'active', value: true })
    await until(200)
    const again = await signIn(id)
    await at(1, 'DELETE', `Users/${id}`)
    expect(await isIn(again)).toBe(false)
    await until(401)
  })
})
