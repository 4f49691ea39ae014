import { HttpError } from "./http.ts";
import type { Answer, Incoming } from "./server.ts";

/**
 * The list of models, or one of them: the agents that can be addressed by a model's name. In the words of whoever asks,
 * which an Anthropic client tells by its version header.
 *
 * @throws {HttpError} 404 if there is no such model, 405 if it is not a GET.
 */
export function listModels({ method, path, headers }: Incoming, names: readonly string[]): Answer {
  if (method !== "GET") throw new HttpError(405, `${path} takes GET`);
  const anthropic = headers.has("anthropic-version");
  const models = names.map((id) =>
    anthropic
      ? { type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" }
      : { id, object: "model", created: 0, owned_by: "brownout" }
  );
  if (path !== "/v1/models") {
    const wanted = path.slice("/v1/models/".length);
    const model = models.find(({ id }) => encodeURIComponent(id) === wanted || id === wanted);
    if (model === undefined) throw new HttpError(404, "there is no such model");
    return json(model);
  }
  return json(
    anthropic
      ? { data: models, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null }
      : { object: "list", data: models },
  );
}

function json(value: unknown): Answer {
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
