/** Dollars of a user, or an organisation, without a limit for good. */
export const dollarsWithoutBudget = 1_000_000

/** Dollars to quota units, rounded once. */
export const unitsOf = (dollars: number, quotaPerUnit: number): number => Math.round(dollars * quotaPerUnit)

/** A name without blanks and `@`, so that it cannot pass for an e-mail address. */
export const nameFrom = (id: string): string => {
  const name = id.replace(/@.*$/, '').replace(/\s+/g, '-') || 'user'
  // The first start makes a user of this name.
  return name === 'root' ? 'root-litellm' : name
}
