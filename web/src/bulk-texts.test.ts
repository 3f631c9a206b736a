import { expect, it } from 'vitest'
import { channelBatchTexts } from './features/channels/bulk/batch-texts.ts'
import { tokenBatchTexts } from './features/tokens/batch-texts.ts'
import { userBatchTexts } from './features/users/batch-texts.ts'
import { setLanguage } from './lib/i18n.ts'

const many = { count: 3, name: undefined }
const one = { count: 1, name: 'spare' }
const [on, off] = [
  { kind: 'status', status: 1 },
  { kind: 'status', status: 2 },
] as const
const texts = [
  { noun: ['渠道', 'channels'], of: channelBatchTexts, on, off },
  { noun: ['令牌', 'API keys'], of: tokenBatchTexts, on, off },
  { noun: ['用户', 'users'], of: userBatchTexts, on: { kind: 'enable' }, off: { kind: 'disable' } },
] as const

it('say what a bulk change of status did, in both languages', () => {
  for (const { noun, of, on, off } of texts) {
    const said = (act: never) => [of.doneText(act, many), of.doneText(act, one)]
    setLanguage('zh')
    expect([said(on as never), said(off as never)]).toEqual([
      [`已启用 3 个${noun[0]}`, '已启用“spare”'],
      [`已禁用 3 个${noun[0]}`, '已禁用“spare”'],
    ])
    setLanguage('en')
    expect([said(on as never), said(off as never)]).toEqual([
      [`3 ${noun[1]} enabled`, '“spare” enabled'],
      [`3 ${noun[1]} disabled`, '“spare” disabled'],
    ])
  }
})

it('take a change of status back with its opposite', () => {
  for (const { of, on, off } of texts) {
    const back = (act: never, before: number) => of.undoOf(act, before)
    expect([back(off as never, 1), back(on as never, 2)]).toEqual([on, off])
    expect([back(on as never, 1), back(off as never, 2)]).toEqual([undefined, undefined])
  }
})
