import type { SyntheticEvent } from 'react'

const select = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void => currentTarget.select()

/** For fields that hold what was chosen and search as well: what is typed next takes its place, however one came there. */
export const typedOver = { onFocus: select, onClick: select }
