import { expect, it } from 'vitest'
import { readLogQuestion } from './log-question.ts'

it('reads states, times and amounts, and leaves what names something', () => {
  expect(readLogQuestion('failed azure yesterday')).toEqual({ type: '5', range: 'yesterday', name: 'azure' })
  expect(readLogQuestion('carol > $1')).toEqual({ least: '1', name: 'carol' })
  expect(readLogQuestion('Errors of Azure Sweden this week')).toEqual({ type: '5', range: '7d', name: 'Azure Sweden' })
  expect(readLogQuestion('calls over 0.50 today')).toEqual({ least: '0.50', range: 'today', name: '' })
  expect(readLogQuestion('昨天 失败 carol 超过 2')).toEqual({
    least: '2',
    type: '5',
    range: 'yesterday',
    name: 'carol',
  })
})

it('asks nothing where no word filters calls', () => {
  for (const text of ['', 'azure', 'log', 'gpt-4o', 'create key', 'order 66'])
    expect(readLogQuestion(text)).toBeUndefined()
})
