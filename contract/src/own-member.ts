/**
 * Returns the member `name` of a table whose names come from outside; undefined for what every object inherits, such as
 * `constructor` or `__proto__`.
 */
export const ownMember = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
