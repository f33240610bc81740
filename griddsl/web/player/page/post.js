// Send a recording to where the page was told at its export; the reason where it did not arrive, else empty.
export async function post(address, recording) {
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(recording), credentials: "omit" });
    return answer.ok ? "" : `status ${answer.status}`;
  } catch (error) {
    return String(error.message);
  }
}
