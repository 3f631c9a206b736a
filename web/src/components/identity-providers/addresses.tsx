import { type SiteStatus, useStatus } from '../../lib/status.ts'
import { ownAddress } from '../../lib/url/page-paths.ts'
import { CopyText } from '../copy/copy-text.tsx'
import { FormPart } from '../form/form-part.tsx'
import type { ProviderPreset } from './fields.ts'
import classes from './identity-providers.module.css'
import { useProviderMessages } from './messages.ts'

interface Props {
  readonly preset: ProviderPreset
  readonly slug: string
  /** Providers of organisations have no button on the login page: their members begin at an address of their own. */
  readonly ofOrganisation: boolean
}

/** Sign-in address of an identity provider of an organisation, for its members. */
export const signInAddress = ({ server_address: site }: SiteStatus, slug: string): string =>
  `${site || ownAddress()}/login?sso=${slug}`

/** Addresses to enter at the provider, and the sign-in address for members of an organisation. */
export const Addresses = ({ preset, slug, ofOrganisation }: Props) => {
  const say = useProviderMessages()
  const status = useStatus()
  const site = status.server_address || ownAddress()
  const name = slug || '…'
  const rows =
    preset === 'saml'
      ? [
          { label: say('acs'), address: `${site}/api/sso/${name}/acs` },
          { label: say('ownEntity'), address: `${site}/api/sso/${name}/metadata` },
          { label: say('ownLogout'), address: `${site}/api/sso/${name}/slo` },
        ]
      : [
          { label: say('redirect'), address: `${site}/oauth/${name}` },
          { label: say('afterLogout'), address: `${site}/login` },
          { label: say('backchannel'), address: `${site}/api/sso/${name}/backchannel` },
        ]
  const signIn = { label: say('signInAddress'), address: signInAddress(status, name) }
  const isAddressMissing = status.server_address === '' && preset === 'saml'
  return (
    <FormPart title={say('addressTitle')}>
      <p className="faint">
        {isAddressMissing ? say(ofOrganisation ? 'askServerAddress' : 'serverAddressMissing') : say('addressText')}
      </p>
      <dl className={classes.addresses}>
        {[...rows, ...(ofOrganisation ? [signIn] : [])].map(({ label, address }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <CopyText text={address} name={label} />
            </dd>
          </div>
        ))}
      </dl>
    </FormPart>
  )
}
