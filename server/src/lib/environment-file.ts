/** Reads `.env` of the working directory into the environment, where there is one; what is set already wins. */
export const loadEnvironmentFile = (): void => {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
