import { expect, it } from 'vitest'
import { collectionOf } from './collections.ts'
import { objectPage } from './object-lists.ts'

const pageOf = (text: string, kind = 'files') => {
  const collection = collectionOf(kind)
  return collection && objectPage(Buffer.from(text), collection)
}
const only = (text: string, ...ids: readonly string[]): string | undefined =>
  pageOf(text)
    ?.only(({ id }) => ids.includes(id))
    .toString()

it('objects stay as their provider wrote them, and nothing else changes', () => {
  const page = `{ "object" : "list", "data": [ {"id":"a","bytes":12345678901234567890} , {"id":"b","n":1.50},{"id":"c"} ],
 "first_id":"a", "has_more" : true,"last_id":"c" }`
  expect(only(page, 'a', 'c')).toBe(`{ "object" : "list", "data": [{"id":"a","bytes":12345678901234567890},{"id":"c"}],
 "first_id":"a", "has_more" : true,"last_id":"c" }`)
  expect(only(page, 'b')).toBe(`{ "object" : "list", "data": [{"id":"b","n":1.50}],
 "first_id":"b", "has_more" : true,"last_id":"b" }`)
  expect(only(page)).toBe(`{ "object" : "list", "data": [],
 "first_id":null, "has_more" : true,"last_id":null }`)
})

it('objects without a name are left out', () => {
  expect(only('{"data":[{"filename":"x"},{"id":"a"}]}', 'a')).toBe('{"data":[{"id":"a"}]}')
})

it('the next page follows as its provider counts pages', () => {
  expect(pageOf('{"object":"list","data":[{"id":"a"}],"has_more":true}')?.next).toEqual({ after: 'a' })
  expect(pageOf('{"data":[{"id":"a"}],"has_more":true,"last_id":"z"}')?.next).toEqual({ after_id: 'z' })
  expect(pageOf('{"data":[],"has_more":true,"next_page":"t"}')?.next).toEqual({ page: 't' })
  expect(pageOf('{"files":[{"name":"files/a"}],"nextPageToken":"t"}')?.next).toEqual({ pageToken: 't' })
  expect(pageOf('{"data":[{"id":"a"}],"has_more":false}')?.next).toBeUndefined()
  expect(pageOf('{}')).toMatchObject({ names: [], next: undefined })
})

it.each([
  '',
  'no JSON',
  '[{"id":"a"}]',
  '{"data":{"files":[]}}',
  '{"data":[1]}',
  '{"data":[],"files":[]}',
  '{"data":[],"x":[{}]}',
])('nobody knows whose things are in %j', (text) => expect(pageOf(text)).toBeUndefined())
