import type { Database } from '../../../../db/database.ts'
import { type Clock, unixSeconds } from '../../../../lib/clock.ts'
import type { Secrets } from '../../../../lib/security/secrets.ts'
import { type CertifiedKey, makeSelfSigned } from '../../../../lib/security/self-signed.ts'

const name = 'saml'

/** The key with which this site signs to SAML providers, and opens what they encrypt. */
export interface SiteKey {
  /** Made when it is needed first; the same on all nodes. */
  read(): Promise<CertifiedKey>
}

export const openSiteKey = (parts: {
  database: Database
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  clock: Clock
}): SiteKey => {
  const { database, secrets, clock } = parts
  let known: Promise<CertifiedKey> | undefined

  const stored = async (): Promise<CertifiedKey | undefined> => {
    const row = await database.query
      .selectFrom('site_keys')
      .select(['key_cipher', 'certificate'])
      .where('name', '=', name)
      .executeTakeFirst()
    return row && { key: secrets.decrypt('site_key', row.key_cipher), certificate: row.certificate }
  }

  const made = async (): Promise<CertifiedKey> => {
    const { key, certificate } = await makeSelfSigned('Tollgate')
    const row = { name, key_cipher: secrets.encrypt('site_key', key), certificate, created_time: unixSeconds(clock) }
    await database.insertMany('site_keys', [row], { skipExisting: true })
    // Another node may have stored one first, and that one counts.
    return (await stored()) ?? { key, certificate }
  }

  return {
    read() {
      const reading = known ?? stored().then((key) => key ?? made())
      known = reading
      reading.catch(() => {
        known = undefined
      })
      return reading
    },
  }
}
