import type { SyntheticEvent } from 'react'

const select = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void => currentTarget.select()

/** For combined select and search fields: selects the text on focus, so that typing replaces the chosen value. */
export const typedOver = { onFocus: select, onClick: select }
