import { describe, expect, it } from 'vitest'
import { readTags, tagsIn, tagsOfCall, tagsOfKey } from './call-tags.ts'

const header = (text: string) => ({ 'x-tollgate-tags': text })

describe('tags of a call', () => {
  it('are those of its key, its metadata and its header, of which the last counts', () => {
    const ofKey = tagsOfKey('{"cost_centre":"7","env":"prod"}')
    expect(ofKey).toBe(';cost_centre=7;env=prod;')
    expect(tagsOfCall(ofKey, header('env=test, team = red'), { env: 'dev', run: 4, user_id: 'session_9' })).toBe(
      ';cost_centre=7;env=test;run=4;team=red;',
    )
    expect(readTags(';cost_centre=7;env=a=b;')).toEqual({ cost_centre: '7', env: 'a=b' })
    expect(tagsIn(';cost_centre=7;env=test;')).toEqual(['cost_centre=7', 'env=test'])
  })

  it('are not made where a call brings none', () => {
    expect(tagsOfCall(';env=prod;', {})).toBeUndefined()
    expect(tagsOfKey(null)).toBe('')
  })

  it('are few and short, whatever is sent', () => {
    const many = Array.from({ length: 40 }, (_, index) => `t${index}=v`).join(',')
    expect(tagsIn(tagsOfCall(undefined, header(many)) ?? '')).toHaveLength(10)
    const long = Array.from({ length: 10 }, (_, index) => `t${index}=${'x'.repeat(90)}`).join(',')
    expect((tagsOfCall(undefined, header(long)) ?? '').length).toBeLessThanOrEqual(250)
    expect(tagsOfCall(undefined, header('__proto__x y=1,=2,a;b=3, ,ok=a;c=d\u0000,\u00e4=1'))).toBe(';ok=a c=d;')
    expect(tagsOfCall(undefined, {}, { nested: { a: 1 }, list: [1], none: null, flag: true })).toBe(';flag=true;')
    expect(tagsOfCall(undefined, {}, JSON.parse('{"__proto__":"x","constructor":"y"}'))).toBe(
      ';__proto__=x;constructor=y;',
    )
    expect(tagsOfCall(undefined, {}, 'text')).toBe('')
  })
})
