import { type GroupMap, getOwnGroups, listGroups, listUsableGroups } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { On } from '../../http/route.ts'

/** The two options that make the groups, as they are now. */
export interface GroupOptions {
  ratios(): Readonly<Record<string, number>>
  usable(): Readonly<Record<string, string>>
}

export interface Groups {
  /** Names of all groups, sorted. */
  names(): string[]
  exists(group: string): boolean
  /** Factor of every price; 1 for a group that is not listed. */
  ratio(group: string): number
  /** Groups that a user of `userGroup` may choose, by name; an empty `userGroup` means any user. */
  usableGroups(userGroup: string): GroupMap
}

const own = <V>(map: Readonly<Record<string, V>>, name: string): V | undefined => ownMember(map, name)

/**
 * Groups as the options define them: everybody may use those of UserUsableGroups, a user also
 * the own one; a group without a ratio does not exist.
 */
export const openGroups = (options: GroupOptions): Groups => {
  const exists = (group: string): boolean => Object.hasOwn(options.ratios(), group)

  const described = (userGroup: string): ReadonlyMap<string, string> => {
    const usable = new Map(Object.entries(options.usable()))
    const always = userGroup === '' ? 'default' : userGroup
    if (!usable.has(always)) usable.set(always, userGroup === '' ? '默认分组' : '用户分组')
    return usable
  }

  return {
    names: () => Object.keys(options.ratios()).sort(),
    exists,
    ratio: (group) => own(options.ratios(), group) ?? 1,
    usableGroups: (userGroup) =>
      Object.fromEntries(
        [...described(userGroup)]
          .filter(([name]) => exists(name))
          .map(([name, desc]) => [name, { desc, ratio: own(options.ratios(), name) ?? 1 }]),
      ),
  }
}

/** Lists of groups. */
export const groupRoutes = (on: On, groups: Groups): void => {
  on(getOwnGroups, ({ caller }) => ({ data: groups.usableGroups(caller.group) }))
  on(listUsableGroups, () => ({ data: groups.usableGroups('') }))
  on(listGroups, () => ({ data: groups.names() }))
}
