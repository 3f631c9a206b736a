import { expect, it } from 'vitest'
import { chargeSentence } from './charge-sentence.ts'

const figures = {
  model_ratio: 1.25,
  completion_ratio: 4,
  group_ratio: 1,
  model_price: 0.1,
  audio_ratio: 16,
  audio_completion_ratio: 2,
}

it.each([
  ['模型倍率 1.25，补全倍率 4.00，分组倍率 1.00', 'Model ratio 1.25, completion ratio 4.00, group ratio 1.00'],
  [
    '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00（可能是上游超时），模型 gpt-4-gizmo-x',
    'Model ratio 1.25, completion ratio 4.00, group ratio 1.00 (the upstream may have timed out), model gpt-4-gizmo-x',
  ],
  [
    '模型倍率 1.25，补全倍率 4.00，音频倍率 16.00，音频补全倍率 2.00，分组倍率 1.00',
    'Model ratio 1.25, completion ratio 4.00, audio ratio 16.00, audio completion ratio 2.00, group ratio 1.00',
  ],
  ['模型价格 0.10，分组倍率 1.00', 'Model price 0.10, group ratio 1.00'],
  [
    '模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID 17',
    'Fixed model price 0.10, group ratio 1.00, action IMAGINE, ID 17',
  ],
])('writes %s in English from its figures', (zh, en) => {
  expect([chargeSentence(zh, figures, 'zh'), chargeSentence(zh, figures, 'en')]).toEqual([zh, en])
})

it.each(['模型倍率 9.00，补全倍率 4.00，分组倍率 1.00', 'interrupted', ''])(
  'leaves %s as it is: it is not the sentence of these figures',
  (content) => expect(chargeSentence(content, figures, 'en')).toBe(content),
)

it('leaves sentences alone that have no figures', () => {
  expect(chargeSentence('模型价格 0.10，分组倍率 1.00', { constructor: 1 }, 'en')).toBe('模型价格 0.10，分组倍率 1.00')
})
