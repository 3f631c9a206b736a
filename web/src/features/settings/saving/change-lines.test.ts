import { expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { useSettingMessages } from '../messages.ts'
import { changeLines } from './change-lines.ts'

const linesOf = (key: string, before: string, after: string) => {
  setLanguage('en')
  return changeLines(key, before, after, { language: 'en', say: useSettingMessages.say })
}

it('names the entries of a map that differ, and only those', () => {
  expect(linesOf('GroupRatio', '{"default":1,"vip":1,"old":2}', '{"default":1,"vip":0.5,"new":3}')).toEqual([
    { entry: 'vip', before: '1', after: '0.5' },
    { entry: 'old', before: '2', after: '' },
    { entry: 'new', before: '', after: '3' },
  ])
})

it('names what came to a list and what left it', () => {
  expect(linesOf('SensitiveWords', 'one\ntwo', 'two\nthree')).toEqual([
    { entry: 'one', before: 'one', after: '' },
    { entry: 'three', before: '', after: 'three' },
  ])
})

it('describes switches and choices by their labels, long texts by their length', () => {
  expect(linesOf('DisplayInCurrencyEnabled', 'true', 'false')).toEqual([{ entry: '', before: 'On', after: 'Off' }])
  expect(linesOf('DataExportDefaultTime', 'hour', 'week')).toEqual([{ entry: '', before: 'Hour', after: 'Week' }])
  expect(linesOf('Notice', '', 'hello')).toEqual([{ entry: '', before: '0 characters', after: '5 characters' }])
})

it('says of what cannot be read that it cannot be saved', () => {
  expect(linesOf('GroupRatio', '{"default":1}', '{')).toEqual([
    { entry: '', before: '', after: 'invalid, can’t be saved' },
  ])
})

it('never shows a secret', () => {
  expect(linesOf('SMTPToken', '', 'hunter2')).toEqual([{ entry: '', before: '', after: 'changed' }])
  expect(linesOf('SMTPToken', '', '')).toEqual([{ entry: '', before: '', after: 'removed' }])
})
