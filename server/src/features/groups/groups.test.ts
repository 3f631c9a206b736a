import { type Endpoint, getOwnGroups, listGroups, listUsableGroups } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { Call, EndpointAnswer, EndpointHandler, On } from '../../http/route.ts'
import { groupRoutes, openGroups } from './groups.ts'

const groups = openGroups({
  ratios: () => ({ default: 1, vip: 0.5, staff: 0, svip: 2 }),
  usable: () => ({ default: '默认分组', vip: 'vip分组', gone: 'no ratio any more' }),
})

describe('groups', () => {
  it('lets users choose the listed groups that have a ratio', () => {
    expect(groups.usableGroups('vip')).toEqual({
      default: { desc: '默认分组', ratio: 1 },
      vip: { desc: 'vip分组', ratio: 0.5 },
    })
  })

  it('lets users choose their own group too', () => {
    expect(groups.usableGroups('staff').staff).toEqual({ desc: '用户分组', ratio: 0 })
    expect(groups.usableGroups('nowhere')).not.toHaveProperty('nowhere')
  })

  it('always offers default to those without a group', () => {
    const bare = openGroups({ ratios: () => ({ default: 1 }), usable: () => ({}) })
    expect(bare.usableGroups('')).toEqual({ default: { desc: '默认分组', ratio: 1 } })
    expect(bare.usableGroups('default')).toEqual({ default: { desc: '用户分组', ratio: 1 } })
  })

  it('counts an unknown group as 1 and keeps a ratio of 0', () => {
    expect([groups.ratio('nowhere'), groups.ratio('staff'), groups.ratio('vip')]).toEqual([1, 0, 0.5])
  })

  it('does not take what every object inherits for a group', () => {
    expect(groups.exists('constructor')).toBe(false)
    expect(groups.ratio('toString')).toBe(1)
    expect(groups.usableGroups('__proto__')).toEqual(groups.usableGroups('vip'))
  })
})

describe('group routes', () => {
  const ask = async (endpoint: Endpoint, group: string): Promise<EndpointAnswer<Endpoint>> => {
    const handlers = new Map<Endpoint, EndpointHandler<Endpoint>>()
    const on: On = (each, handler) => handlers.set(each, handler as unknown as EndpointHandler<Endpoint>)
    groupRoutes(on, groups)
    return handlers.get(endpoint)?.({ caller: { group } } as Call<Endpoint>) ?? {}
  }

  it('answer the own groups, the public groups and the names of all', async () => {
    expect((await ask(getOwnGroups, 'svip')).data).toEqual(groups.usableGroups('svip'))
    expect((await ask(listUsableGroups, 'svip')).data).toEqual(groups.usableGroups(''))
    expect((await ask(listGroups, '')).data).toEqual(['default', 'staff', 'svip', 'vip'])
  })
})
