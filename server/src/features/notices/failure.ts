import type { AppError } from '../../lib/app-error.ts'

/** Why a notice did not arrive, as an error that its owner may read. */
export class DeliveryFailure extends Error {
  readonly error: AppError

  constructor(error: AppError) {
    super(error.message, { cause: error })
    this.name = 'DeliveryFailure'
    this.error = error
  }
}
