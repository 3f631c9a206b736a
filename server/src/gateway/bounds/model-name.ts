import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'

/** UTF-16 units: what the columns that name a model hold. */
const longest = 255

/** Refuses a model name that no column holds; the error shows its beginning only. Throws AppError('invalid_text_request'). */
export const checkModelName = (model: string): void => {
  if (model.length <= longest) return
  const detail = `field model is longer than ${longest} characters: ${shortText(model)}`
  throw new AppError('invalid_text_request', { params: { detail } })
}
