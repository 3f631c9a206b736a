/** Statuses of codes of google.rpc.Code. */
const statuses: ReadonlyMap<number, number> = new Map([
  [3, 400],
  [5, 404],
  [7, 403],
  [8, 429],
  [9, 400],
  [11, 400],
  [13, 500],
  [14, 503],
  [16, 401],
])
const [cancelled, expired] = [1, 4]

/** True for the code of a request that was not begun. */
export const isSkippedCode = (code: number): boolean => code === cancelled || code === expired

/** The HTTP status of a code; some write the status itself. */
export const statusOfCode = (code: number): number => statuses.get(code) ?? (code >= 400 && code < 600 ? code : 400)
