import { expect, it } from 'vitest'
import { setLanguage } from '#web/lib/i18n.ts'
import { redemptionBatchTexts } from './batch-texts.ts'

const { doneText, undoOf } = redemptionBatchTexts
const many = { count: 3, name: undefined }
const one = { count: 1, name: 'spare' }
const [on, off] = [
  { kind: 'status', status: 1 },
  { kind: 'status', status: 2 },
] as const

it('say what a bulk change of codes did, in both languages', () => {
  setLanguage('zh')
  expect([doneText(on, many), doneText(on, one)]).toEqual(['已启用 3 个兑换码', '已启用“spare”'])
  expect([doneText(off, many), doneText(off, one)]).toEqual(['已禁用 3 个兑换码', '已禁用“spare”'])
  setLanguage('en')
  expect([doneText(on, many), doneText(on, one)]).toEqual(['3 codes enabled', '“spare” enabled'])
  expect([doneText(off, many), doneText(off, one)]).toEqual(['3 codes disabled', '“spare” disabled'])
})

it('take a change of status back with its opposite', () => {
  expect([undoOf(off, 1), undoOf(on, 2)]).toEqual([on, off])
  expect([undoOf(on, 1), undoOf(off, 2)]).toEqual([undefined, undefined])
})
