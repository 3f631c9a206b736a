import { ownMember } from '@tollgate/contract/own-member'
import type { Pictures } from '../usage.ts'

/** Tokens of one picture by OpenAI's models (platform.openai.com/docs/guides/image-generation): of a square, and of other sizes. */
const tokensByQuality: Readonly<Record<string, readonly [number, number]>> = {
  low: [272, 408],
  medium: [1056, 1584],
  high: [4160, 6240],
}

/** Completion tokens of pictures without reported ones; of medium quality where none was named. */
export const drawnTokens = ({
  count,
  size = '',
  quality = '',
}: Pick<Pictures, 'count' | 'size' | 'quality'>): number => {
  const [square, other] = ownMember(tokensByQuality, quality) ?? [1056, 1584]
  const [width, height] = size.split('x')
  return count * (width === height ? square : other)
}
