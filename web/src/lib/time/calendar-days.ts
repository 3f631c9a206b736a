const dayMs = 86_400_000

/** The date so many days after `2026-11-20`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The month so many months after `2026-11`. */
export const monthAfter = (month: string, months: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The six weeks around a month; `firstWeekday` begins each, 0 is Sunday. */
export const weeksOf = (month: string, firstWeekday: number): readonly (readonly string[])[] => {
  const first = `${month}-01`
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() - firstWeekday + 7) % 7
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => dayAfter(first, week * 7 + weekday - before)),
  )
}
