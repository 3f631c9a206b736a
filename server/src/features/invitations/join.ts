import type { FeatureKit } from '../../app/parts.ts'
import { amountText, bareAmountText } from '../../billing/amounts/amount-text.ts'
import { createInvitations } from './invitations.ts'
import { invitationRoutes } from './routes.ts'

/** Joins the rewards for invited users. */
export const joinInvitations = ({
  database,
  ledger,
  options,
  on,
}: Pick<FeatureKit, 'database' | 'ledger' | 'options' | 'on'>): void => {
  const style = () => ({
    inCurrency: options.get('DisplayInCurrencyEnabled'),
    quotaPerUnit: options.get('QuotaPerUnit'),
  })
  const invitations = createInvitations({
    database,
    ledger: ledger.movements,
    quotaPerUnit: () => options.get('QuotaPerUnit'),
    amountText: (quota) => amountText(quota, style()),
    bareAmountText: (quota) => bareAmountText(quota, style()),
  })
  invitationRoutes(on, invitations)
}
