/** The members of `after` that `before` does not have with the same value. */
export const changedMembers = <T extends object>(before: T, after: T): Partial<T> => {
  const old = new Map(Object.entries(before))
  const changed = Object.entries(after).filter(([name, value]) => old.get(name) !== value)
  return Object.fromEntries(changed) as Partial<T>
}
