import { expect, it } from 'vitest'
import { isJsonType } from './json-type.ts'

it.each([
  ['application/json', true],
  ['application/JSON; charset=utf-8', true],
  ['application/problem+json', true],
  ['application/json-patch+json', true],
  ['application/x-jsonl', false],
  ['application/jsonlines', false],
  ['application/x-ndjson', false],
  ['application/json-seq', false],
  ['text/plain', false],
])('%s is one JSON value: %s', (type, is) => expect(isJsonType(type)).toBe(is))
